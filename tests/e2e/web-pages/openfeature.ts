import { beginOpenFeature } from './openfeature-setup.ts'
import { FLAG } from './setup.ts'

const place = document.querySelector('#root')
await beginOpenFeature(() => {
  const { value } = window.details(FLAG, false) as { readonly value: boolean }
  if (place !== null) place.textContent = value ? 'on' : 'off'
})
