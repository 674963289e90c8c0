/** Environment whose flags callers get if their token is valid for all environments. */
export const DEFAULT_ENVIRONMENT = 'development'
