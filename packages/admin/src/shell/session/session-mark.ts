const MARK = 'burgee-session'

/** Records that the user is logged in, so that this tab can tell an ended session from none. */
export const rememberSession = (): void => sessionStorage.setItem(MARK, 'yes')

/** Clears the record after a deliberate logout. */
export const forgetSession = (): void => sessionStorage.removeItem(MARK)

/** Returns true if the user was logged in here and did not log out. */
export const wasLoggedIn = (): boolean => sessionStorage.getItem(MARK) !== null
