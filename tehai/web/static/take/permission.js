// Whether the browser gives the page a camera.

/** Whether a camera is available. Browsers require a secure page. */
export const isAvailable = () => isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/** Whether the camera may start without a question. */
export async function isAllowed() {
	try {
		return (await navigator.permissions.query({ name: "camera" })).state === "granted";
	} catch {
		return false;
	}
}
