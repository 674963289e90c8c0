import type { FeatureType } from '@burgee/protocol/feature-type'
import { call } from './http.ts'

/** Types of flags, with how long flags of each are meant to live. */
export const featureTypes = async () => (await call<{ types: FeatureType[] }>('GET', '/api/admin/feature-types')).types
