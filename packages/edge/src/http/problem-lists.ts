/** Names of the problems of endpoints that require a token. */
export const GUARDED = ['TokenRefused', 'NotReady']
/** The same for endpoints that also read a query. */
export const GUARDED_QUERY = ['ValidationFailed', ...GUARDED]
/** The same for endpoints that also read a body. */
export const LONG_BODY = [...GUARDED_QUERY, 'TooLarge', 'MediaType']
