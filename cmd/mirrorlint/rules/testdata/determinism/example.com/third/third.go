package third

const Zero = 0
