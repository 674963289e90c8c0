/** Version of this package, as reported to the upstream. A test ensures that it equals the version in package.json. */
export const VERSION = '0.1.0'
