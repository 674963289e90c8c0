/** Path of the logged-in user with their permissions. */
export const ME_PATH = '/api/admin/user'
