/**
 * Whether two texts are equal. The time it takes depends on their lengths alone, as signatures and other secrets need.
 */
export const equalInConstantTime = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ (right.charCodeAt(at) || 0)
  return difference === 0
}
