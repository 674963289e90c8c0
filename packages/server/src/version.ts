/** Version of this package; held equal to package.json by a test. */
export const VERSION = '0.1.0'

/**
 * What clients are told that look for a version of the established server before they go on: the one whose API this is,
 * with our own as build metadata, which by semver 2.0 §10 is no part of the order. True, and as good as 5.12.8 to
 * whoever compares.
 */
export const WIRE_VERSION = `5.12.8+burgee.${VERSION}`
