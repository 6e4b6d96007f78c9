"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const [said, bar, told, stored] = ["said", "share", "told", "certificate"].map(byId);
  let worker = null, latest = null;

  function show(text, lines = [], busy = false) {
    [said.textContent, told.textContent, told.hidden] = [text, lines.join("\n"), !lines.length];
    [bar.value, bar.hidden] = [0, !busy];
  }

  // Nothing stays of what was asked before, though it may be read or decided still.
  async function check(name, read) {
    const mine = latest = {};
    worker?.terminate();
    show(`${name} is decided again …`, [], true);
    try {
      const bytes = await read();
      if (mine === latest) decide(name, bytes);
    } catch (error) {
      if (mine === latest) show(`${name} was not decided: ${error.message}`);
    }
  }

  // The checker runs in a worker, made of the very text that the policy of this page let in.
  function decide(name, bytes) {
    const began = performance.now(), source = new Blob([byId("checker").textContent], { type: "text/javascript" });
    const url = URL.createObjectURL(source);
    worker = new Worker(url);
    const end = (text, lines) => {
      worker.terminate();
      URL.revokeObjectURL(url);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      show(`${name}, decided again in this browser: ${text}, ${seconds} s.`, lines);
    };
    worker.onmessage = ({ data }) => {
      if ("share" in data) bar.value = data.share;
      else {
        const [, how] = (data.lines.find((line) => line.startsWith("found: ")) ?? "").split("; ");
        end(how ? `${data.outcome}, ${how}` : data.lines[0], data.lines);
      }
    };
    worker.onerror = () => end("FAILED, which says nothing", []);
    worker.postMessage(bytes);
  }

  // Its name is quoted and short, so that it can't pass for what is said of it.
  function read(file) {
    if (file) check(start(file.name), async () => new Uint8Array(await file.slice(0, MAX_BYTES + 1).arrayBuffer()));
  }

  if (typeof checked === "undefined") said.textContent = "The checker in this page was changed, and does not run.";
  else if (stored) {
    const again = () => check("This certificate", () => new TextEncoder().encode(stored.textContent));
    byId("again").onclick = again;
    byId("again").hidden = false;
    again();
  } else {
    [said.textContent, byId("file").hidden] = ["", false];
    byId("file").onclick = () => { byId("file").value = ""; }; // or a file that changed would not be read again
    byId("file").onchange = () => read(byId("file").files[0]);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      read(event.dataTransfer.files[0]);
    });
  }
})();
