/** Tables whose rows let a user log in, or lead to a password; the column `user_id` names the user. */
export const CREDENTIAL_TABLES: readonly string[] = [
  'sessions',
  'personal_tokens',
  'reset_tokens',
  'known_networks',
  'sso_identities',
]
