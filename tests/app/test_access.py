"""The gate before the page: passwords, guessing, cookies, and where it may listen."""

import io
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.access import (
    BY_CLIENT,
    COOKIE,
    LONGEST_PASSWORD,
    ROLE_HEADER,
    TOGETHER,
    Doors,
    Guesses,
    Pace,
    PasswordCheck,
    UnusablePasswordError,
    hashed,
    is_local,
    is_secret,
    new_secret,
    owner_of,
)
from app.storage.databases import open_database
from app.ui.server import Gate
from tests.app.command_line import Run

PASSWORD = "correct horse"  # noqa: S105 - of the tests
Visit = Callable[..., TestClient]


@pytest.fixture(scope="module")
def check() -> PasswordCheck:
    return PasswordCheck(PASSWORD)


class _Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _page() -> Starlette:
    def page(_: Request) -> HTMLResponse:
        return HTMLResponse("<p>the page</p>")

    def script(_: Request) -> PlainTextResponse:
        return PlainTextResponse("x")

    def role(request: Request) -> PlainTextResponse:
        return PlainTextResponse(",".join(request.headers.getlist(ROLE_HEADER)))

    pages = [Route(path, page) for path in ("/", "/staff")]
    scripts = [Route(path, script) for path in ("/x.js", "/_stcore/health")]
    return Starlette(routes=[*pages, *scripts, Route("/role", role)])


@pytest.fixture
def clock() -> _Time:
    return _Time()


@pytest.fixture
def visit(check: PasswordCheck, clock: _Time) -> Visit:
    """Opens browsers, each with cookies of its own, at one page behind a password."""
    gate = Gate(_page(), Doors(check), Guesses(clock))

    def browser(client: str = "10.0.0.1") -> TestClient:
        headers = {"Accept": "text/html"}
        return TestClient(gate, headers=headers, client=(client, 1), follow_redirects=False)

    return browser


def test_an_open_page_gives_an_owner_once_and_keeps_it() -> None:
    browser = TestClient(Gate(_page()))
    first = browser.get("/")
    (cookie,) = first.headers.get_list("set-cookie")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    secret = browser.cookies[COOKIE]
    assert is_secret(secret)
    assert browser.get("/").cookies[COOKIE] == secret
    assert "set-cookie" not in TestClient(Gate(_page())).get("/x.js").headers


def test_over_https_cookies_are_for_https_alone() -> None:
    assert (
        "; Secure" in TestClient(Gate(_page())).get("/", headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"]
    )
    assert "; Secure" in TestClient(Gate(_page()), base_url="https://shop.example").get("/").headers["set-cookie"]


@pytest.mark.parametrize("made_up", ["x", "a" * 44, "a" * 42 + ";", "\u0660" * 43])
def test_a_made_up_owner_is_replaced(made_up: str) -> None:
    assert not is_secret(made_up)
    answer = TestClient(Gate(_page())).get("/", headers=[(b"cookie", f"{COOKIE}={made_up}".encode())])
    assert is_secret(answer.cookies[COOKIE])


def test_no_script_but_the_pages_own_may_run() -> None:
    policy = TestClient(Gate(_page())).get("/").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-inline" not in policy


def test_owners_are_unguessable_and_records_do_not_give_them_away() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len({owner_of(secret) for secret in secrets}) == 100
    assert all(is_secret(secret) and secret not in owner_of(secret) for secret in secrets)


def test_without_the_password_there_is_only_the_form(visit: Visit) -> None:
    for path in ("/", "/?thread=x", "/x.js", "/nothing"):
        answer = visit().get(path)
        assert answer.status_code == 401
        assert 'type="password"' in answer.text
        assert "the page" not in answer.text
    assert visit().get("/x.js", headers={"Accept": "*/*"}).text == "Sign in first."
    assert visit().get("/_stcore/health").status_code == 200


def test_the_password_opens_what_was_asked_for(visit: Visit) -> None:
    browser = visit()
    assert 'name="back" value="/?thread=a&amp;b=%22%3E"' in browser.get("/?thread=a&b=%22%3E").text
    assert 'name="back" value="&#34;&gt;&lt;b&gt;"' in browser.post("/sign-in", data={"back": '"><b>'}).text
    answer = browser.post("/sign-in", data={"password": PASSWORD, "back": "/?thread=a"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/?thread=a")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "the page" in browser.get("/").text
    assert visit().get("/").status_code == 401, "another browser has to sign in itself"


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "\r\nSet-Cookie: a=b", "https://evil.example"])
def test_signing_in_never_leads_to_another_site(visit: Visit, back: str) -> None:
    answer = visit().post("/sign-in", data={"password": PASSWORD, "back": back})
    location = answer.headers["location"]
    assert location[:1] == "/"
    assert location[1:2] not in ("/", "\\")
    assert len(answer.headers.get_list("set-cookie")) == 1


STAFF_PASSWORD = "battery staple"  # noqa: S105 - of the tests


def doors_of(visitors: str | None, staff: str | None) -> Doors:
    return Doors(*(PasswordCheck(one) if one else None for one in (visitors, staff)))


@pytest.mark.parametrize(
    ("visitors", "staff", "who"),
    [
        (None, None, "staff"),
        (None, STAFF_PASSWORD, "visitor"),
        (PASSWORD, None, "Sign in first."),
        (PASSWORD, STAFF_PASSWORD, "Sign in first."),
    ],
)
def test_without_a_password_this_machine_is_the_staffs(visitors: str | None, staff: str | None, who: str) -> None:
    browser = TestClient(Gate(_page(), doors_of(visitors, staff)), base_url="http://localhost", client=("127.0.0.1", 1))
    assert browser.get("/role", headers={ROLE_HEADER: "staff"}).text == who


@pytest.mark.parametrize(
    ("client", "host"), [("10.0.0.1", "localhost"), ("127.0.0.1", "ask.example.com"), ("10.0.0.1", "ask.example.com")]
)
def test_behind_a_proxy_nobody_is_staff_unasked_whatever_they_say(client: str, host: str) -> None:
    browser = TestClient(Gate(_page()), base_url=f"http://{host}", client=(client, 1))
    assert browser.get("/role", headers={ROLE_HEADER: "staff"}).text == "visitor"


@pytest.mark.parametrize("visitors", [PASSWORD, None])
def test_the_staff_page_is_for_those_who_know_its_password(check: PasswordCheck, visitors: str | None) -> None:
    doors = Doors(check if visitors else None, PasswordCheck(STAFF_PASSWORD))
    browser = TestClient(Gate(_page(), doors), headers={"Accept": "text/html"}, follow_redirects=False)
    asked = browser.get("/staff?view=Gaps")
    assert asked.status_code == 401
    assert "for the people of the shop" in asked.text
    form = {"back": "/staff?view=Gaps"}
    assert browser.post("/sign-in", data={**form, "password": PASSWORD}).status_code == 401
    answer = browser.post("/sign-in", data={**form, "password": STAFF_PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/staff?view=Gaps")
    assert browser.get("/role").text == "staff"
    assert browser.get("/staff").status_code == 200
    browser.get("/sign-out")
    assert browser.get("/staff").status_code == 401


def test_a_visitor_who_has_signed_in_is_no_staff(check: PasswordCheck) -> None:
    doors = Doors(check, PasswordCheck(STAFF_PASSWORD))
    browser = TestClient(Gate(_page(), doors), headers={"Accept": "text/html"}, follow_redirects=False)
    browser.post("/sign-in", data={"password": PASSWORD})
    assert browser.get("/role").text == "visitor"
    assert browser.get("/staff").status_code == 401
    browser.post("/sign-in", data={"back": "/staff", "password": STAFF_PASSWORD})
    assert browser.get("/role").text == "staff"


@pytest.mark.parametrize("form", [{}, {"password": ""}, {"password": "x" * 100_000}, {"password": PASSWORD + "x"}])
def test_anything_else_does_not_open_it(visit: Visit, form: dict[str, str]) -> None:
    assert visit().post("/sign-in", data=form).status_code == 401


def test_a_form_of_very_many_fields_is_no_guess_that_is_read(visit: Visit) -> None:
    fields = {f"field{number}": "x" for number in range(100)}
    assert visit().post("/sign-in", data={**fields, "password": PASSWORD}).status_code == 401


def test_wrong_guesses_wait_longer_whatever_the_browser(visit: Visit, clock: _Time) -> None:
    waits = []
    for _ in range(7):
        answer = visit().post("/sign-in", data={"password": "wrong"})
        if answer.status_code == 429:
            waits.append(int(answer.headers["Retry-After"]))
            clock.now += waits[-1]
            answer = visit().post("/sign-in", data={"password": "wrong"})
        assert answer.status_code == 401
    assert waits == [1, 2, 4, 8]
    refused = visit().post("/sign-in", data={"password": PASSWORD})
    assert refused.status_code == 429, "even the right one waits"
    assert "Please wait 16 seconds" in refused.text
    assert visit("10.0.0.2").post("/sign-in", data={"password": PASSWORD}).status_code == 303, "others do not"


def test_guesses_from_many_addresses_wait_together_but_not_long(clock: _Time) -> None:
    guesses = Guesses(clock)
    for number in range(TOGETHER.free):
        assert guesses.begin(f"10.0.{number}.1") == 0
    assert guesses.begin("10.1.1.1") == 1
    for number in range(40):
        clock.now += TOGETHER.longest_s
        assert guesses.begin(f"10.2.{number}.1") == 0
    assert guesses.begin("10.3.1.1") == TOGETHER.longest_s


@pytest.mark.parametrize("pace", [BY_CLIENT, TOGETHER])
def test_a_wait_grows_to_its_longest_and_no_further(pace: Pace) -> None:
    waits = [pace.wait_s(wrong) for wrong in range(2_000)]
    assert waits == sorted(waits)
    assert set(waits[pace.free + 20 :]) == {pace.longest_s}


def test_guesses_at_once_count_each(clock: _Time) -> None:
    guesses = Guesses(clock)
    assert [guesses.begin("10.0.0.1") > 0 for _ in range(BY_CLIENT.free + 1)] == [False] * BY_CLIENT.free + [True]


def test_a_right_guess_starts_afresh_and_a_network_counts_as_one(clock: _Time) -> None:
    guesses = Guesses(clock)
    for number in range(BY_CLIENT.free):
        guesses.begin(f"2001:db8::{number}")
    assert guesses.begin("2001:db8::99") > 0
    guesses.right("2001:db8::5")
    assert guesses.begin("2001:db8::99") == 0


def test_a_setting_holds_the_password_or_its_hash() -> None:
    assert PasswordCheck(hashed(PASSWORD)).matches(PASSWORD)
    assert not PasswordCheck(hashed(PASSWORD)).matches(hashed(PASSWORD))
    assert PasswordCheck("x" * LONGEST_PASSWORD).matches("x" * LONGEST_PASSWORD)
    assert not PasswordCheck("x" * LONGEST_PASSWORD).matches("x" * (LONGEST_PASSWORD + 1))


@pytest.mark.parametrize("password", ["", "short", "x" * 73, "ü" * 37])
def test_a_password_that_protects_nothing_or_is_not_read_whole_is_refused(password: str) -> None:
    with pytest.raises(UnusablePasswordError):
        hashed(password)


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "192.168.1.5", "", "shop.example", None],  # noqa: S104 - looked at, not listened on
)
def test_an_address_that_others_reach_is_known(host: str | None) -> None:
    assert not is_local(host)
    assert all(is_local(own) for own in ("127.0.0.1", "127.8.8.8", "::1", "localhost"))


@pytest.mark.parametrize("command", [["demo"], ["serve", "--index", "shop"]])
def test_the_page_is_not_opened_to_others_without_a_password(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    result = run(*command, "--host", "0.0.0.0")  # noqa: S104 - the point of the test
    assert result.status == 2
    assert "footnote password" in result.err
    monkeypatch.setenv("FOOTNOTE_SERVE__HOST", "192.0.2.1")
    assert run(*command).status == 2
    monkeypatch.setenv("FOOTNOTE_SERVE__PASSWORD", "short")
    assert "at least 8" in run(*command).err


def test_the_command_prints_a_hash_that_opens_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    assert PasswordCheck(run("password").out.strip()).matches(PASSWORD)
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert run("password").status == 2


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777 & ~0o700])
def test_databases_are_readable_by_their_owner_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        path = tmp_path / ".footnote" / "records.sqlite"
        connection = open_database(path)
        connection.execute("CREATE TABLE t (x)")
        assert modes(path.parent) == {".footnote": 0o700, **dict.fromkeys(names(path), 0o600)}
    finally:
        os.umask(before)
    connection.close()


def test_databases_of_an_earlier_version_are_tightened(tmp_path: Path) -> None:
    folder = tmp_path / ".footnote"
    folder.mkdir(mode=0o755)
    path = folder / "records.sqlite"
    path.touch(mode=0o644)
    (folder / "records.sqlite-wal").touch(mode=0o644)
    open_database(path).close()
    assert set(modes(folder).values()) == {0o700, 0o600}


def test_a_folder_of_somebody_elses_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_database(tmp_path / "records.sqlite").close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def names(path: Path) -> list[str]:
    return [file.name for file in path.parent.iterdir()]


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.iterdir())}
