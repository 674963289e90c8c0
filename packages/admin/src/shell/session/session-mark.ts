const MARK = 'burgee-session'

/** Notes that somebody is logged in, so that this tab can tell a session that has ended from none. */
export const rememberSession = (): void => sessionStorage.setItem(MARK, 'yes')

/** Somebody has logged out, and knows it. */
export const forgetSession = (): void => sessionStorage.removeItem(MARK)

/** Whether somebody was logged in here and did not log out. */
export const wasLoggedIn = (): boolean => sessionStorage.getItem(MARK) !== null
