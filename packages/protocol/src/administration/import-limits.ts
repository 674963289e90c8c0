/** Maximum size of a file that administrators import over HTTP, in characters. */
export const MAX_IMPORT_LENGTH = 8 * 1024 * 1024
