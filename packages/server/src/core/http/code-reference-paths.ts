/** Path of the code reference routes that scanners call, below the base path. */
export const SCANNER = '/api/v2'
