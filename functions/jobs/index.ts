export default { scheduled() {} }
