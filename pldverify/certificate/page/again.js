"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const [said, bar, told, stored] = ["said", "share", "told", "certificate"].map(byId);
  let worker = null;

  // The checker runs in a worker, made of the very text that the policy of this page let in.
  function check(name, bytes) {
    worker?.terminate();
    const start = performance.now(), source = new Blob([byId("checker").textContent], { type: "text/javascript" });
    const url = URL.createObjectURL(source);
    worker = new Worker(url);
    [said.textContent, told.textContent, told.hidden] = [`${name} is decided again …`, "", true];
    [bar.value, bar.hidden] = [0, false];
    const end = (text, lines) => {
      worker.terminate();
      URL.revokeObjectURL(url);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      said.textContent = `${name}, decided again in this browser: ${text}, ${seconds} s.`;
      [bar.hidden, told.textContent, told.hidden] = [true, lines.join("\n"), !lines.length];
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

  async function read(file) {
    try {
      if (file) check(file.name, new Uint8Array(await file.slice(0, MAX_BYTES + 1).arrayBuffer()));
    } catch (error) {
      said.textContent = `${file.name} can't be read: ${error.message}`;
    }
  }

  if (typeof checked === "undefined") said.textContent = "The checker in this page was changed, and does not run.";
  else if (stored) {
    const again = () => check("This certificate", new TextEncoder().encode(stored.textContent));
    byId("again").onclick = again;
    byId("again").hidden = false;
    again();
  } else {
    [said.textContent, byId("file").hidden] = ["", false];
    byId("file").onchange = () => read(byId("file").files[0]);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      read(event.dataTransfer.files[0]);
    });
  }
})();
