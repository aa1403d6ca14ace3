// For all of this package: what is named here is in the bundle of every command, and is all of that package that is.
import { printable } from '@maru/terminal'

export { printable }
