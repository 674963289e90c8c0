/** Version of this package, as told upstream; held equal to package.json by a test. */
export const VERSION = '0.1.0'
