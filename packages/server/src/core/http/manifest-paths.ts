/** Path of the OpenFeature manifest of flags. */
export const MANIFEST = '/openfeature/v0/manifest'
/** Path that the OpenFeature CLI requests if its configured URL already ends with the manifest path. */
export const MANIFEST_TWICE = `${MANIFEST}${MANIFEST}`
