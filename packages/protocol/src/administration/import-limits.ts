/** Maximum size of a file that administrators import over HTTP, in characters. */
export const MOST_IMPORTED_CHARACTERS = 8 * 1024 * 1024
