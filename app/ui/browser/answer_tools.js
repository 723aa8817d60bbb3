// Below an answer: copies it with its sources, and reads a spoken one aloud. `data` is {text, spoken}.
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

function readAloud(text, button) {
  const speech = window.speechSynthesis;
  const show = (playing) => {
    button.setAttribute("aria-pressed", playing);
    button.textContent = playing ? "Stop" : "Listen";
  };
  const playing = button.getAttribute("aria-pressed") === "true";
  speech.cancel();
  show(!playing);
  if (playing) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = "en";
  words.onend = words.onerror = () => show(false);
  speech.speak(words);
}

// A source that was opened closes by Escape, too, and the keyboard goes on from its number.
document.addEventListener("keydown", (event) => {
  const source = event.key === "Escape" && document.querySelector("details.cite[open]");
  if (!source) return;
  source.open = false;
  source.querySelector("summary").focus();
});

export default function ({ data, parentElement }) {
  const [copying, reading] = parentElement.querySelectorAll("button");
  const status = parentElement.querySelector("[role=status]");
  const tell = (words) => {
    status.textContent = words;
    setTimeout(() => (status.textContent = ""), SHOWN_MS);
  };
  copying.onclick = () => copy(data.text).then(() => tell("Copied"), () => tell("The browser did not allow it"));
  reading.hidden = !data.spoken || !window.speechSynthesis;
  reading.onclick = () => readAloud(data.spoken, reading);
  return () => {
    if (reading.getAttribute("aria-pressed") === "true") window.speechSynthesis.cancel();
  };
}
