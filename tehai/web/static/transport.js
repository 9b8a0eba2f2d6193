// How the page reaches the application. The site has its own.
export const send = (path, options) => fetch(path, options);
export const keepPage = () => navigator.serviceWorker?.register("sw.js").catch(() => {});
