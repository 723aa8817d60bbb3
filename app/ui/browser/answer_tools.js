// Copies an answer with its sources, and reads a spoken one aloud: both texts stand on its buttons. Shows the newest one.
const SHOWN_MS = 2000;

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without HTTPS a browser has no clipboard to write to, but still copies what is selected.
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("The browser does not copy.");
}

function show(button, playing) {
  button.setAttribute("aria-pressed", playing);
  button.textContent = playing ? "Stop" : "Listen";
}

function readAloud(button) {
  const playing = button.getAttribute("aria-pressed") === "true";
  window.speechSynthesis.cancel();
  show(button, !playing);
  if (playing) return;
  const words = new SpeechSynthesisUtterance(button.dataset.spoken);
  words.lang = "en";
  words.onend = words.onerror = () => show(button, false);
  window.speechSynthesis.speak(words);
}

function tell(button, words) {
  const status = button.parentElement.querySelector("[role=status]");
  status.textContent = words;
  setTimeout(() => (status.textContent = ""), SHOWN_MS);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.(".tools button");
  if (!button) return;
  if (button.dataset.copied) {
    copy(button.dataset.copied).then(() => tell(button, "Copied"), () => tell(button, "The browser did not allow it"));
  } else if (window.speechSynthesis) readAloud(button);
  else tell(button, "The browser does not read aloud");
});

// A source that was opened closes by a click beside it and by Escape, after which the keyboard goes on from its number.
document.addEventListener("click", ({ target }) => {
  const source = document.querySelector("details.cite[open]");
  if (source && !source.contains(target)) source.open = false;
});

document.addEventListener("keydown", (event) => {
  const source = event.key === "Escape" && document.querySelector("details.cite[open]");
  if (!source) return;
  source.open = false;
  source.querySelector("summary").focus();
});

// The newest question rises to the top, and stays there while its answer grows, unless the reader moves on.
let newest = "";
let following = false;
for (const moved of ["wheel", "touchmove", "pointerdown", "keydown"])
  document.addEventListener(moved, () => (following = false), { capture: true, passive: true });

// A form that opens below a thumb is seen as a whole.
const opened = new ResizeObserver(([{ target }]) => target.scrollIntoView({ block: "nearest" }));

function follow(changes) {
  const questions = document.querySelectorAll(".question");
  const last = questions[questions.length - 1];
  const name = last ? `${location.search} ${questions.length} ${last.textContent}` : "";
  if (name !== newest) following = Boolean(last);
  newest = name;
  if (following) last.scrollIntoView({ block: "start" });
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    const form = node.matches?.(".stForm") ? node : node.querySelector?.(".stForm");
    if (form && !following) opened.observe(form);
  }
}

new MutationObserver(follow).observe(document.body, { childList: true, subtree: true });
follow([]);

// What is left is not read on.
export default () => () => window.speechSynthesis?.cancel();
