// Below each answer: copies it with its sources, and reads a spoken one aloud. Both texts stand on its buttons.
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

// A source that was opened closes by Escape, too, and the keyboard goes on from its number.
document.addEventListener("keydown", (event) => {
  const source = event.key === "Escape" && document.querySelector("details.cite[open]");
  if (!source) return;
  source.open = false;
  source.querySelector("summary").focus();
});

// What is left is not read on.
export default () => () => window.speechSynthesis?.cancel();
