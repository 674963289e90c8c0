/**
 * Version of this package. The version appears in errors about databases of other versions. A test keeps the version
 * equal to package.json.
 */
export const VERSION = '0.1.0'
