/** Version of this package, as reported to the upstream; a test keeps it equal to package.json. */
export const VERSION = '0.1.0'
