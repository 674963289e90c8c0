/** Problems of a list for any authenticated caller. The documentation adds those of checks before the handler. */
export const LIST = ['AuthenticationRequired']
/** Problems of a list with search conditions. */
export const SEARCH = [...LIST, 'ValidationError']
/** Problems of reading one thing that may be missing. */
export const READ = [...LIST, 'NotFoundError']
/** Problems of a list that requires a permission. */
export const GUARDED_LIST = [...LIST, 'NoAccessError']
/** Problems of a list with search conditions that requires a permission, as for SDKs. */
export const GUARDED_SEARCH = ['ValidationError', ...GUARDED_LIST]
/** Problems of a request that requires a permission and takes no body. */
export const REMOVE = [...READ, 'NoAccessError']
/** Problems of a request that requires a permission and takes a body. */
export const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'ContentTypeerror']
/** Problems of a request with a body that may be long and that changes nothing. */
export const LONG_BODY = [...GUARDED_SEARCH, 'ContentTypeerror', 'PayloadTooLargeError']
