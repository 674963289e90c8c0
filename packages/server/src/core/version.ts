/** Version of this package; a test keeps it equal to package.json. */
export const VERSION = '0.1.0'

/**
 * Version that is reported to clients that expect Unleash: the Unleash version whose API this server implements,
 * followed by the version of this package as build metadata. Clients compare this version as 5.12.8, because Semver 2.0
 * §10 ignores build metadata.
 */
export const WIRE_VERSION = `5.12.8+burgee.${VERSION}`
