import { FlagProvider, useFlag, useFlagsStatus, useVariant } from '@unleash/proxy-client-react'
import { createElement, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { FLAG, readConfig, shownText } from './setup.ts'

const config = readConfig()

function Shown(): ReactElement {
  const enabled = useFlag(FLAG)
  const variant = useVariant(FLAG)
  const { flagsReady } = useFlagsStatus()
  return createElement('p', null, flagsReady ? shownText(enabled, variant.name) : '')
}

const place = document.querySelector('#root')
if (place !== null) createRoot(place).render(createElement(FlagProvider, { config }, createElement(Shown)))
