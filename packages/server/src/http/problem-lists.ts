/** Problems of a list for whoever is known. What checks before a handler answer is added by the documentation. */
export const LIST = ['AuthenticationRequired']
/** Problems of a list that is asked for by conditions. */
export const SEARCH = [...LIST, 'ValidationError']
/** Problems of what is read and may be missing. */
export const READ = [...LIST, 'NotFoundError']
/** Problems of a list that needs a right. */
export const GUARDED_LIST = [...LIST, 'NoAccessError']
/** Problems of a list that needs a right and is asked for by conditions, as SDKs do. */
export const GUARDED_SEARCH = ['ValidationError', ...GUARDED_LIST]
/** Problems of what needs a right and takes no body. */
export const REMOVE = [...READ, 'NoAccessError']
/** Problems of what takes a body and needs a right. */
export const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'ContentTypeerror']
/** Problems of what takes a body that may be long, and changes nothing. */
export const LONG_BODY = [...GUARDED_SEARCH, 'ContentTypeerror', 'PayloadTooLargeError']
