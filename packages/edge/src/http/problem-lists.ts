/** Names of the problems that endpoints with a token can answer with, by what of a request they read. */
export const GUARDED = ['TokenRefused', 'NotReady']
/** With a query. */
export const GUARDED_QUERY = ['ValidationFailed', ...GUARDED]
/** With a body. */
export const LONG_BODY = [...GUARDED_QUERY, 'TooLarge', 'MediaType']
