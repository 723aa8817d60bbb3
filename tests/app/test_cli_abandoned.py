"""The command line does not wait for a turn that nobody waits for."""

import subprocess
import sys

SCRIPT = """
import sys, threading
import app.cli.application as cli
from app.turns import OverrunError, TurnRun

def stuck(run):
    threading.Event().wait()

def application():
    def command(prog_name):
        try:
            list(TurnRun(stuck).events(0.01))
        except OverrunError:
            pool = threading.Thread(target=threading.Event().wait)
            pool.start()
            print("sorry")
            sys.exit(3)
    return command

cli.application = application
cli.main()
"""


def test_a_command_ends_though_an_abandoned_turn_still_runs() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False)  # noqa: S603 - our own
    assert (done.returncode, done.stdout) == (3, "sorry\n")
