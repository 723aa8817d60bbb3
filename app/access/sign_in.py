"""The page that asks for the password: plain HTML, without any script."""

from html import escape
from string import Template

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Footnote: sign in</title>
<style>
body { background: #fcfbf8; color: #22282b; font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center;
       min-height: 100vh; margin: 0; }
form { width: min(20rem, 90vw); display: grid; gap: 0.8rem; }
h1 { font: 600 1.6rem Georgia, serif; margin: 0; }
input, button { font: inherit; padding: 0.6rem 0.8rem; border-radius: 0.6rem; border: 1px solid #e2ded3; }
button { background: #0f5c56; border-color: #0f5c56; color: #fff; cursor: pointer; }
p { margin: 0; color: #9b2c2c; }
</style>
</head>
<body>
<form method="post" action="/sign-in">
<h1>Ask the shop</h1>
<label for="password">This page is for those who have its password.</label>
<input type="hidden" name="back" value="$back">
<input type="password" id="password" name="password" autocomplete="current-password" required autofocus>
$problem
<button type="submit">Sign in</button>
</form>
</body>
</html>
""")


def sign_in_page(back: str, problem: str) -> str:
    """The page.

    Args:
        back: The query of the address that was asked for, which is opened next.
        problem: What was wrong with the try before; empty for the first.
    """
    shown = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    return _PAGE.substitute(back=escape(back), problem=shown)
