/**
 * Errors of a route that lists data for every authenticated caller. The API documentation adds the errors of the checks
 * that run before the handler.
 */
export const LIST = ['AuthenticationRequired']
/** Errors of a route that lists data and has search conditions. */
export const SEARCH = [...LIST, 'ValidationError']
/** Errors of a route that reads one resource, which may not exist. */
export const READ = [...LIST, 'NotFoundError']
/** Errors of a route that lists data and requires a permission. */
export const GUARDED_LIST = [...LIST, 'NoAccessError']
/**
 * Errors of a route that lists data, has search conditions and requires a permission. SDK routes have the same errors.
 */
export const GUARDED_SEARCH = ['ValidationError', ...GUARDED_LIST]
/** Errors of a route that requires a permission and takes no body. */
export const REMOVE = [...READ, 'NoAccessError']
/** Errors of a route that requires a permission and takes a body. */
export const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'ContentTypeerror']
/** Errors of a route that takes a body, which can be too long, but changes nothing. */
export const LONG_BODY = [...GUARDED_SEARCH, 'ContentTypeerror', 'PayloadTooLargeError']
