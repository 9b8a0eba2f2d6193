// Requests to the server. The site replaces this file.
export const send = (path, options) => fetch(path, options);
export const keepPage = () => navigator.serviceWorker?.register("sw.js").catch(() => {});
