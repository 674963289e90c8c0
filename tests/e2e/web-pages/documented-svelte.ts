import Checkout from 'documented:checkout.svelte'
import { mount } from 'svelte'

const target = document.querySelector('#root')
if (target !== null) mount(Checkout, { target })
