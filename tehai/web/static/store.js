// What the page keeps: settings in localStorage, the hand at work and the evening's hands in IndexedDB. A browser that
// refuses either (private windows) still works, it only forgets.

const NAME = "tehai";

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("now");
      request.result.createObjectStore("evening", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function on(store, mode, act) {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode);
      const request = act(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

/** The hand at work by parts: `state` (plain values) and `shots` (the photos as blobs). */
export const now = {
  get: (key) => on("now", "readonly", (store) => store.get(key)),
  put: (key, value) => on("now", "readwrite", (store) => store.put(value, key)),
};

/** The evening's hands, each with its `id`. */
export const evening = {
  all: async () => (await on("evening", "readonly", (store) => store.getAll())) ?? [],
  put: (hand) => on("evening", "readwrite", (store) => store.put(hand)),
  remove: (id) => on("evening", "readwrite", (store) => store.delete(id)),
  clear: () => on("evening", "readwrite", (store) => store.clear()),
};

const DEFAULTS = { lang: null, rules: null, theme: "auto", automatic: true, table: { honba: 0, riichi_sticks: 0 } };

/** Settings that outlive the hand; `null` is not chosen yet. */
export const settings = load();

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function choose(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing: the choice holds until the page is closed
  }
}
