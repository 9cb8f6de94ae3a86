/** `16 MiB`, `1.5 MiB`. */
export function formatMebibytes(bytes: number): string {
	return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
