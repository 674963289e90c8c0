const STORAGE_KEY = 'burgee-session'

/** Records that the user is logged in, so that this tab can distinguish an ended session from a missing login. */
export const rememberSession = (): void => sessionStorage.setItem(STORAGE_KEY, 'yes')

/** Clears the record after a deliberate logout. */
export const forgetSession = (): void => sessionStorage.removeItem(STORAGE_KEY)

/** Returns true if the user has logged in within this tab and has not logged out. */
export const wasLoggedIn = (): boolean => sessionStorage.getItem(STORAGE_KEY) !== null
