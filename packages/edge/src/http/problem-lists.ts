/** Names of the documented errors of endpoints that require a token. */
export const GUARDED = ['TokenRefused', 'NotReady']
/** Names of the documented errors of endpoints that require a token and accept query parameters. */
export const GUARDED_QUERY = ['ValidationFailed', ...GUARDED]
/** Names of the documented errors of endpoints that require a token and accept query parameters and a body. */
export const LONG_BODY = [...GUARDED_QUERY, 'TooLarge', 'MediaType']
