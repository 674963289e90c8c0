/** Version of this package; a test keeps it equal to package.json. */
export const VERSION = '0.1.0'

/**
 * Version reported to clients that check for a version of Unleash. It is the version whose API this server implements,
 * with our own version as build metadata. Semver 2.0 §10 ignores build metadata in comparisons, so it compares as
 * 5.12.8.
 */
export const WIRE_VERSION = `5.12.8+burgee.${VERSION}`
