/** Chinese wording of refusals, by error code. */
const CHINESE: Readonly<Record<string, string>> = {
  '-1002': '未授权',
  '-1021': '时间戳无效',
  '-1022': '签名无效',
  '-1102': '参数错误',
  '-1116': '订单类型无效',
  '-1121': '币对不存在',
  '-1136': '数量小于最小下单量',
  '-1145': '订单状态不允许撤销',
  '-1147': '价格或数量精度错误',
  '-1156': '平仓数量超过持仓',
  '-2013': '订单不存在',
  '-2015': 'API Key无效',
  '-2017': '余额不足',
}
const OTHER = '请求失败'

/** The `msg` of a refusal with an error code, in Chinese. */
export function chineseRefusal(code: string): string {
  return CHINESE[code] ?? OTHER
}
