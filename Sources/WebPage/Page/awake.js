// Keeps the screen on while a session goes on. Browsers do that over TLS alone.

export const canStayAwake = !!navigator.wakeLock;
let isWanted = false, lock = null;

async function hold() {
  if (!isWanted || lock || document.hidden) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.onrelease = () => { lock = null; };
    if (!isWanted) lock.release();
  } catch {
    // A phone that saves its battery refuses; its screen goes off as it would have.
    lock = null;
  }
}

/// Whether a session goes on.
export function stayAwake(is) {
  if (!canStayAwake || is === isWanted) return;
  isWanted = is;
  if (is) hold();
  else lock?.release();
}

// A hidden page loses it.
if (canStayAwake) document.addEventListener("visibilitychange", hold);
