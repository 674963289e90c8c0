import { Checkout, Flags } from 'documented:next.tsx'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.querySelector('#root')
if (place !== null) createRoot(place).render(createElement(Flags, null, createElement(Checkout)))
