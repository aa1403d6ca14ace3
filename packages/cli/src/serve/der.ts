// The few forms of DER that a certificate is made of.

/** One value: its tag, its length, what is in it. */
export function tagged(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body])
}

export const sequence = (...items: Uint8Array[]) => tagged(0x30, ...items)
export const set = (...items: Uint8Array[]) => tagged(0x31, ...items)
export const octets = (content: Uint8Array) => tagged(0x04, content)
export const text = (words: string) => tagged(0x0c, Buffer.from(words))
export const yes = tagged(0x01, Buffer.of(0xff))

/** A whole number that is not negative, given as its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const from = bytes.findIndex((byte) => byte !== 0)
  const digits = from < 0 ? Buffer.of(0) : Buffer.from(bytes.subarray(from))
  // The first bit would be its sign.
  return (digits[0] ?? 0) < 0x80 ? tagged(0x02, digits) : tagged(0x02, Buffer.of(0), digits)
}

/** Bits; the last of them are not counted where `unused` says so. */
export const bits = (content: Uint8Array, unused = 0) => tagged(0x03, Buffer.of(unused), content)

/** A registered name: `1.2.840.10045.4.3.2`. */
export function name(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevens)]))
}

/** A moment, to the second. Years from 2050 on have four digits. */
export function moment(at: number): Buffer {
  const stamp = `${new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`
  return Number(stamp.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(stamp.slice(2))) : tagged(0x18, Buffer.from(stamp))
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return Buffer.from([0x80 + bytes.length, ...bytes])
}

// Seven bits a byte, the first bit saying that more follow.
function inSevens(value: number): number[] {
  const digits = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(128 + (left % 128))
  return digits
}
