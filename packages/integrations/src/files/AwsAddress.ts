/** The address of a service of AWS in a region. The regions of China have a domain of their own. */
export const awsAddress = (service: string, region: string): string =>
  `https://${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`
