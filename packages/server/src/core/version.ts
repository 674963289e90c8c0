/** Version of this package; a test keeps it equal to package.json. */
export const VERSION = '0.1.0'

/**
 * Version that is reported to clients that expect a version of Unleash. It is the Unleash version whose API this server
 * implements, followed by the version of this package as build metadata. Semver 2.0 §10 ignores build metadata in
 * comparisons, so it compares as 5.12.8.
 */
export const WIRE_VERSION = `5.12.8+burgee.${VERSION}`
