/** PostgreSQL's `hashint8`, by which Citus finds the shard of a business. `id` is a whole number from 0 to 2^53. */
export const businessHash = (id: number): number => {
  const rotated = (value: number, by: number) => (value << by) | (value >>> (32 - by))
  let [a, b, c] = Array.from({ length: 3 }, () => 0x9e3779b9 + 4 + 3_923_095) as [number, number, number]
  a = (a + (((id % 2 ** 32) | 0) ^ Math.floor(id / 2 ** 32))) | 0
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  return ((c ^ b) - rotated(b, 24)) | 0
}
