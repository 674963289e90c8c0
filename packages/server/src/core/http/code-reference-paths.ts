/** Path of the routes that scanners of code references use, below the base path. */
export const SCANNER = '/api/v2'
