/** Names of the problems of endpoints that require a token. */
export const GUARDED = ['TokenRefused', 'NotReady']
/** Names of the problems of endpoints that require a token and read a query. */
export const GUARDED_QUERY = ['ValidationFailed', ...GUARDED]
/** Names of the problems of endpoints that require a token and read a query and a body. */
export const LONG_BODY = [...GUARDED_QUERY, 'TooLarge', 'MediaType']
