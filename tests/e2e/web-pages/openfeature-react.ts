import { OpenFeatureProvider, useBooleanFlagValue } from '@openfeature/react-sdk'
import { createElement, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { beginOpenFeature } from './openfeature-setup.ts'
import { FLAG } from './setup.ts'

function Shown(): ReactElement {
  return createElement('p', null, useBooleanFlagValue(FLAG, false) ? 'on' : 'off')
}

const place = document.querySelector('#root')
await beginOpenFeature(() => {})
if (place !== null) createRoot(place).render(createElement(OpenFeatureProvider, null, createElement(Shown)))
