/**
 * Version of this package. Errors about a database of another version contain this version. A test ensures that it
 * equals the version in package.json.
 */
export const VERSION = '0.1.0'
